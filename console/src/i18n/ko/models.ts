export const models = {
  title: '모델',
} as const;
