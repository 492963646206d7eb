import { createHash } from 'node:crypto'
import { replaceOwn } from '../../../disk/replace-file.js'
import { oneLine } from '../../../text/display.js'
import type { SmallPicture } from './picture.js'
import { style } from './style.js'

/** The start of the tag that distinguishes pages of this package from others. The command's name follows it. */
const generator = '<meta name="generator" content="content-space '

export interface PageContent {
  /** The command that writes the page: `audit`. */
  command: string
  heading: string
  /** Added to the heading in the title. */
  title?: readonly string[]
  summary: string
  sections: readonly Markup[]
}

/**
 * Renders a page as a single file that doesn't load or run anything: its policy allows only its own style, and pictures
 * in data URIs.
 */
export function pageOf({ command, heading, title = [], summary, sections }: PageContent): string {
  // The policy contains the hash of the exact text between the tags, so don't add anything to it below.
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const page = escaped`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${{ markup: `${generator}${command}">` }}
<title>${[heading, ...title].join(' · ')}</title>
<style>${{ markup: style }}</style>
<header><h1>${heading}</h1><p>${summary}</p></header>
<main>
${sections}
</main>
</html>`
  return `${page.markup}\n`
}

export function isPage(text: string): boolean {
  return text.includes(generator)
}

/**
 * Writes the page of a command.
 * @returns whether the file has changed
 * @throws ContentSpaceError `fileSystem`, including when a file that the command didn't write is in the way
 */
export function writePage(path: string, page: string, command: string): Promise<boolean> {
  return replaceOwn(path, page, (before) => before.includes(`${generator}${command}`))
}

/** Renders a picture on the background against which it is visible. */
export function pictureHtml({ uri, ground }: SmallPicture, alt: string): Markup {
  return escaped`<img class="${ground ?? 'none'}" src="${uri}" alt="${alt}">`
}

export function swatch(color: string): Markup {
  return escaped`<svg viewBox="0 0 1 1" preserveAspectRatio="none"><path d="M0 0h1v1H0z" fill="${color}"/></svg>`
}

export interface Markup {
  markup: string
}

/**
 * A template tag for HTML. Turns strings into one safe, escaped line, and inserts markup unchanged. It isn't called
 * `html`, because formatters change white space in templates with that name.
 */
export function escaped(
  parts: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[])[]
): Markup {
  return { markup: parts.map((part, index) => part + writeMarkup(values[index] ?? '')).join('') }
}

function writeMarkup(value: string | Markup | readonly Markup[]): string {
  if (typeof value === 'string') return oneLine(value).replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.codePointAt(0)};`)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
}
