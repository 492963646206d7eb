export default {
  preset: 'unplugin-content-space/jest',
  roots: ['<rootDir>/esm'],
  testMatch: ['**/*.test.mjs'],
  moduleNameMapper: { '^@/(.*)$': '<rootDir>/esm/$1' },
  transform: {},
}
