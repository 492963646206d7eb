'use strict'
const Module = require('node:module')

// Loaded before the tests of the project `unit`, which must also run if nothing has been built. Makes a test that needs
// the build fail even on a machine that has one.
const resolve = Module['_resolveFilename']
Module['_resolveFilename'] = function resolveFilename(request, ...rest) {
  if (request.startsWith('#dist/'))
    throw new Error(`A test of the project unit needs ${request}. Move it from test/unit to test/built.`)
  return resolve.call(this, request, ...rest)
}
