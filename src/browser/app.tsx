import './styles/base.css'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Project } from './data.js'

function App() {
  const [project, setProject] = useState<Project>()
  useEffect(() => {
    void fetch('data/project.json')
      .then((response) => response.json() as Promise<Project>)
      .then(setProject)
  }, [])
  return <h1>{project?.name}</h1>
}

const root = document.querySelector('#app')
if (root) render(<App />, root)
