export default function (eleventyConfig) {
  eleventyConfig.addPassthroughCopy('{brand,photographs}/!(.*)/*.{svg,webp}')
}
