export const chat = {
  title: '채팅',
} as const;
