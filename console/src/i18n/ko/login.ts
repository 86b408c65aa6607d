export const login = {
  title: '로그인',
} as const;
