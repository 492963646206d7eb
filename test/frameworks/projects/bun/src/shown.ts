import { solvaneLogo } from 'content-space:kit/brand?as=metadata'
import address from 'content-space:asset/brand/solvane-logo?url'
import leaf from 'content-space:asset/brand/leaf?raw'
import { solvaneLogo as logo } from 'content-space:section/brand/logos'
import compass from 'content-space:asset/brand/compass?w=20&format=png'

export const shown = () => [solvaneLogo.name, address, leaf, logo.src, compass.src]
