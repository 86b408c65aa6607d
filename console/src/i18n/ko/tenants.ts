export const tenants = {
  title: '테넌트',
} as const;
