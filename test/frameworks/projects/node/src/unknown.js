const id = ['content-space:asset', 'brand', 'compass'].join('/')
await import(id)
