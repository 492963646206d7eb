import { hydrateRoot } from 'react-dom/client'
import { Page } from './page.jsx'

const root = document.querySelector('#root')
if (root) hydrateRoot(root, <Page />)
