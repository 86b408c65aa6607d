export const profile = {
  title: '내 정보',
} as const;
