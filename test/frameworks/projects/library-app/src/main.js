import { coast, leaf, logo, Logo, mark, Photograph, stackedLogo } from 'acme-components'

/** @type {800} */
const width = coast.width
/** @type {'Solvane Logo Stacked'} */
const name = stackedLogo.name
/** @type {'svg'} */
const format = logo.format

// @ts-expect-error The library declares exactly which properties exist.
if (coast.sources) throw new Error('unexpected')

document.body.insertAdjacentHTML(
  'beforeend',
  `<img alt="${name}" src="${stackedLogo.src}">
  <img alt="mark" src="${mark}">
  <span data-content="leaf" title="${format}">${leaf}</span>`,
)
document.body.append(Logo({}), Photograph({ sizes: `${width / 2}px` }))
