import type { overview as korean } from '../ko/overview.ts';
import type { Translated } from '../translated.ts';

export const overview: Translated<typeof korean> = {
  title: 'Overview',
  welcome: 'Hello, {{name}}.',
  first_steps: 'First steps',
  steps_done: '{{done}} of {{all}} done',
  done: 'Done',
  to_do: 'To do',
  steps: {
    model: 'Connect a model',
    key: 'Create an API key',
    first_call: 'Ask a first question',
    invite: 'Invite colleagues',
  },
  step_hints: {
    model: 'Connect a model server, or download a model to this machine.',
    key: 'A key for your application.',
    first_call: 'Ask a model in the playground.',
    invite: 'Bring in the people who will use it, and choose their roles.',
  },
  healthy: 'The service is well',
  unhealthy: 'The service has a problem',
  models: 'Models',
  models_ready: '{{ready}} of {{total}} can be used.',
  builtin_only: 'There is no model yet: the built-in engine answers.',
  loaded: 'In memory: {{models}}',
  to_models: 'See models',
  address: 'API address',
  address_hint: 'The base URL for OpenAI clients.',
  copy_address: 'Copy address',
  reference: 'API reference',
  today: 'Today',
  requests: 'Requests',
  tokens: 'Tokens',
  errors: 'Errors',
  first_token: 'First token (median)',
};
