export const reset = {
  title: '비밀번호 정하기',
} as const;
