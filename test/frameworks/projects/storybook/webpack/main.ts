import type { StorybookConfig } from '@storybook/react-webpack5'

export default {
  framework: '@storybook/react-webpack5',
  stories: ['../src/*.stories.js'],
  addons: ['unplugin-content-space/storybook'],
} satisfies StorybookConfig
