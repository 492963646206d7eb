import type { NextConfig } from 'next'
import { withContentSpace } from 'unplugin-content-space/next'

const nextConfig: NextConfig = { basePath: '/shop' }

export default withContentSpace(nextConfig)
