import bun from 'unplugin-content-space/bun'
import docusaurus from 'unplugin-content-space/docusaurus'
import esbuild from 'unplugin-content-space/esbuild'
import farm from 'unplugin-content-space/farm'
import jest from 'unplugin-content-space/jest/jest-preset'
import jestResolver from 'unplugin-content-space/jest/resolver'
import withContentSpace from 'unplugin-content-space/next'
import rolldown from 'unplugin-content-space/rolldown'
import rollup from 'unplugin-content-space/rollup'
import rspack from 'unplugin-content-space/rspack'
import vite from 'unplugin-content-space/vite'
import webpack from 'unplugin-content-space/webpack'

vite({ kits: { brand: 'solvane-brand' } })
// @ts-expect-error The types of options are checked.
vite({ kits: 5 })
export default [bun, docusaurus, esbuild, farm, jest, jestResolver, withContentSpace, rolldown, rollup, rspack, webpack]
