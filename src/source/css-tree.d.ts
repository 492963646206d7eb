/** Parts of css-tree that load faster than the whole package, which its types don't declare. */
declare module 'css-tree/tokenizer' {
  export { tokenize, tokenNames } from 'css-tree'
}

declare module 'css-tree/utils' {
  export { string, url } from 'css-tree'
}
