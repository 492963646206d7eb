import { arrowLeft, save } from 'content-space:kit/icons'

export const icons = [arrowLeft.src, save.src]
