import { style } from '@vanilla-extract/css'
import { solvaneLogo } from 'content-space:kit/brand'

export const box = style({ backgroundImage: `url(${solvaneLogo.src})` })
