/**
 * An id that may stay text, because it isn't the specifier of an import. This file imports no parser, so that bundlers
 * can ask first.
 */
export const MISPLACED = /(?<!\b(?:from|import|require|mock)\s*\(?\s*)(?:["'`(=]\s*)content-space:[a-z-]+[/"'`]/
