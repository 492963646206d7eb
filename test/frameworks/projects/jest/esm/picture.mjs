import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp'

export const picture = coast
