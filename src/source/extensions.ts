/** The extensions of languages that compile to CSS, as a part of a pattern. */
export const preprocessed = 'less|sass|scss|styl|stylus|sss'

/** Those of all style sheets. */
export const styleSheets = `css|pcss|postcss|${preprocessed}`
