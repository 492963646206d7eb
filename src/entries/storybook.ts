export { viteFinal, webpackFinal } from '../frameworks/storybook.js'
