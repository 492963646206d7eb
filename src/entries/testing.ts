export { testSource, type TestSourceOptions } from '../space/sources/test-source.js'
