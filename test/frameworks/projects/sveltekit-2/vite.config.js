import { sveltekit } from '@sveltejs/kit/vite'
import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [sveltekit(), contentSpace()] })
