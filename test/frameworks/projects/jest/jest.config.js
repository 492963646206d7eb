module.exports = {
  preset: 'unplugin-content-space/jest',
  roots: ['<rootDir>/src'],
}
