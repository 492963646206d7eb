'use strict'
const Module = require('node:module')

// Loaded before the tests of the project `unit`, which also run where nothing has been built. On a machine that has a
// build, a test that needs it must fail as well.
const resolve = Module['_resolveFilename']
Module['_resolveFilename'] = function resolveFilename(request, ...rest) {
  if (request.startsWith('#dist/'))
    throw new Error(`A test of the project unit needs ${request}. Move it from test/unit to test/built.`)
  return resolve.call(this, request, ...rest)
}
