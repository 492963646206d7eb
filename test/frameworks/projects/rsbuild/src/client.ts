import { render } from './render'

const main = document.querySelector('main')
if (main) main.innerHTML = render()
