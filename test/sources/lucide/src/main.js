import { arrowLeft } from 'content-space:kit/lucide'

export const icons = [arrowLeft.src]
