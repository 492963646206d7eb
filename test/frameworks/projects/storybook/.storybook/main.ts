import type { StorybookConfig } from '@storybook/react-vite'

export default {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.js'],
  addons: ['unplugin-content-space/storybook'],
} satisfies StorybookConfig
