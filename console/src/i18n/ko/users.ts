export const users = {
  title: '사용자',
} as const;
