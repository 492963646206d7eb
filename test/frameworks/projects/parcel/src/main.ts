import solvaneLogo from '../content/logos/solvane-logo.js'
import coast from '../photographs/photographs/coast-at-dawn.js'

document.body.insertAdjacentHTML(
  'beforeend',
  `<img alt="${solvaneLogo.name}" src="${solvaneLogo.src}">
  <img alt="${coast.name}" src="${coast.src}" srcset="${coast.srcset}" sizes="400px">`,
)
