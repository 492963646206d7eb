import { solvaneLogo } from 'content-space:kit/brand'

export const GET = (): Response => Response.json({ name: solvaneLogo.name, src: solvaneLogo.src })
