import type { Metadata } from 'next'
import type { ReactNode } from 'react'

// Next.js doesn't add `basePath` from next.config.ts to the URLs of icons.
export const metadata: Metadata = {
  icons: {
    icon: [
      { url: '/shop/favicon.ico', sizes: '32x32' },
      { url: '/shop/icon.svg', type: 'image/svg+xml' },
    ],
    apple: '/shop/apple-touch-icon.png',
  },
  manifest: '/shop/manifest.webmanifest',
}

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
