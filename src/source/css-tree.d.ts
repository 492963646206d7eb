/** Parts of css-tree that load faster than the whole package, but are missing from its types. */
declare module 'css-tree/tokenizer' {
  export { tokenize, tokenNames } from 'css-tree'
}

declare module 'css-tree/utils' {
  export { string, url } from 'css-tree'
}
