import { expect, test } from 'vitest'
import { extensionOf, mediaType } from '../../../src/space/asset-type.js'

/** All types that the public service lists as content and that have a file. Fonts are named after their file. */
const office = 'application/vnd.openxmlformats-officedocument'
const listed: [type: string, extension: string, media: string][] = [
  ['PNG', 'png', 'image/png'],
  ['JPG', 'jpg', 'image/jpeg'],
  ['GIF', 'gif', 'image/gif'],
  ['SVG', 'svg', 'image/svg+xml'],
  ['PDF', 'pdf', 'application/pdf'],
  ['EPS', 'eps', 'application/postscript'],
  ['TIFF', 'tiff', 'image/tiff'],
  ['HEIC', 'heic', 'image/heic'],
  ['WEBP', 'webp', 'image/webp'],
  ['AI', 'ai', 'application/postscript'],
  ['PSD', 'psd', 'image/vnd.adobe.photoshop'],
  ['INDD', 'indd', 'application/x-indesign'],
  ['SKETCH_LAYER', 'sketch', 'application/zip'],
  ['SKETCH_SYMBOL', 'sketch', 'application/zip'],
  ['SKETCH_LAYER_STYLE', 'sketch', 'application/zip'],
  ['SKETCH_TEXT_STYLE', 'sketch', 'application/zip'],
  ['TXT', 'txt', 'text/plain'],
  ['DOCX', 'docx', `${office}.wordprocessingml.document`],
  ['DOTX', 'dotx', `${office}.wordprocessingml.template`],
  ['PPTX', 'pptx', `${office}.presentationml.presentation`],
  ['POTX', 'potx', `${office}.presentationml.template`],
  ['KEYNOTE', 'key', 'application/vnd.apple.keynote'],
  ['KEYNOTE_THEME', 'kth', 'application/vnd.apple.keynote'],
  ['PAGES', 'pages', 'application/vnd.apple.pages'],
  ['PAGES_TEMPLATE', 'template', 'application/vnd.apple.pages'],
  ['MOV', 'mov', 'video/quicktime'],
  ['MP4', 'mp4', 'video/mp4'],
  ['AVI', 'avi', 'video/x-msvideo'],
  ['LOTTIE', 'json', 'application/json'],
  ['MP3', 'mp3', 'audio/mpeg'],
  ['WAV', 'wav', 'audio/wav'],
  ['M4A', 'm4a', 'audio/mp4'],
  ['STL', 'stl', 'model/stl'],
  ['OBJ', 'obj', 'model/obj'],
  ['ZIP', 'zip', 'application/zip'],
]

test.each(listed)('files of type %s end in .%s and are %s', (type, extension, media) => {
  for (const spelled of [type, type.toLowerCase()]) expect(extensionOf(spelled)).toBe(extension)
  expect(mediaType(extension)).toBe(media)
})

test('an unknown type keeps its name only if the name is safe in a file name', () => {
  expect(extensionOf('BLEND')).toBe('blend')
  for (const type of ['', '../x', 'A B', 'NEW_KIND', 'x'.repeat(17)]) expect(extensionOf(type)).toBe('bin')
})
