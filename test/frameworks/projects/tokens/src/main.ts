import './style.css'
import './tailwind.css'
import './panel.scss'
import { colors } from './tokens.js'

const paragraph = document.querySelector<HTMLElement>('#constant')
if (paragraph) paragraph.style.color = colors.coral.css
