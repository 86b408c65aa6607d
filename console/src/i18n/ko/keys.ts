export const keys = {
  title: 'API 키 관리',
} as const;
