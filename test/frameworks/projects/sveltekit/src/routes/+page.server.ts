import dunes from 'content-space:asset/brand/dunes-at-noon?w=240'

/** Only the server imports this picture. */
export function load() {
  return { src: dunes.src, name: dunes.name, width: dunes.width }
}
