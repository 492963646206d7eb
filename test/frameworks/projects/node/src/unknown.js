const asset = 'compass'
await import(`content-space:asset/brand/${asset}`)
