import { appIcon, solvaneLogo } from 'content-space:kit/brand'

export default defineEventHandler(() => [
  { name: 'Server Icon', src: appIcon.src },
  { name: 'Server Logo', src: solvaneLogo.src },
])
