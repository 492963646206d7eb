import { writeFile } from 'node:fs/promises'

/*
 * Writes the types of components from the table below to `react.d.ts` and so on. Each file is complete, because pulled
 * folders and libraries get a copy. The types of Astro's components are in `frameworks/astro/components.ts`.
 */

const children = "'children' | 'dangerouslySetInnerHTML'"
const contents = "'children' | 'innerHTML' | 'textContent'"
const addresses = "'src' | 'srcset' | 'srcSet' | 'alt'"

/** The imports, the beginning of the props of `<svg>` and `<img>`, and the type of a component with these props. */
const types = {
  react: {
    imports: "import type { ComponentPropsWithRef, ReactElement } from 'react';",
    svg: `interface SvgProps extends Omit<ComponentPropsWithRef<'svg'>, ${children}> {`,
    img: `interface ImageProps extends Omit<ComponentPropsWithRef<'img'>, 'src' | 'srcSet' | 'alt' | ${children}> {`,
    component: (props) => `(props: ${props}) => ReactElement`,
  },
  preact: {
    imports: "import type { ComponentProps, VNode } from 'preact';",
    svg: `interface SvgProps extends Omit<ComponentProps<'svg'>, ${children} | 'title'> {`,
    img: `interface ImageProps extends Omit<ComponentProps<'img'>, ${addresses} | ${children}> {`,
    component: (props) => `(props: ${props}) => VNode`,
  },
  solid: {
    imports: "import type { Component, ComponentProps } from 'solid-js';",
    svg: `interface SvgProps extends Omit<ComponentProps<'svg'>, ${contents}> {`,
    img: `interface ImageProps extends Omit<ComponentProps<'img'>, ${addresses} | ${contents}> {`,
    component: (props) => `Component<${props}>`,
  },
  vue: {
    imports: "import type { DefineSetupFnComponent, ImgHTMLAttributes, SVGAttributes } from 'vue';",
    svg: "interface SvgProps extends Omit<SVGAttributes, 'innerHTML'> {",
    img: "interface ImageProps extends Omit<ImgHTMLAttributes, 'src' | 'srcset' | 'alt' | 'innerHTML'> {",
    component: (props) => `DefineSetupFnComponent<${props}>`,
  },
  svelte: {
    imports: "import type { Component } from 'svelte';\nimport type { SvelteHTMLElements } from 'svelte/elements';",
    svg: `type SvgProps = SvelteHTMLElements['svg'] & {
    children?: never;`,
    img: `type ImageProps = SvelteHTMLElements['img'] & {
    src?: never;
    srcset?: never;
    children?: never;`,
    title: 'string | null | undefined',
    end: '};',
    component: (props) => `Component<${props.includes('|') ? 'Record<string, unknown>' : props}>`,
  },
}

/** @param {string} folder */
export async function writeComponentTypes(folder) {
  for (const [framework, { imports, svg, img, component, title = 'string | undefined', end = '}' }] of Object.entries(
    types,
  )) {
    const name = framework[0].toUpperCase() + framework.slice(1)
    const as = `a ${name} component: \`content-space:asset/…?as=${framework}\``
    const text = `${imports}
/** The props of an SVG component: all props of \`<svg>\`. */
export ${svg}
    /** The name of the SVG for assistive technology, and its tooltip. An SVG without a title is decorative. */
    title?: ${title};
${end}
/** An SVG as ${as}. */
export type SvgComponent = ${component('SvgProps')};
/** The props of a picture: all props of \`<img>\` except those that the asset sets. */
export ${img}
    /** Alternative text. An empty string for a decorative picture. */
    alt: string;
    /** Loads the picture immediately and before others. For the largest picture that is visible when a page loads. */
    priority?: boolean | undefined;
${end}
/** A picture other than an SVG, as ${as}. */
export type ImageComponent = ${component('ImageProps')};
/** A component that may be an SVG or another picture, because its import isn't declared exactly. */
export type AssetComponent = ${component('SvgProps | ImageProps')};
`
    await writeFile(`${folder}/${framework}.d.ts`, text)
    await writeFile(`${folder}/${framework}.js`, 'export {};\n')
  }
}
