export const playground = {
  title: '플레이그라운드',
} as const;
