import { Hero } from './Hero.js'

export default { component: Hero }
export const Default = {}
