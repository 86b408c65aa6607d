export const setup = {
  title: '처음 설정',
  description: '첫 관리자를 만듭니다. 1분이면 끝납니다.',
  organisation: '조직 이름',
  organisation_hint: '회사나 기관 이름입니다. 나중에 바꿀 수 있습니다.',
  name: '이름',
  email: '이메일',
  password: '비밀번호',
  password_hint: '열 글자 이상. 길수록 안전합니다.',
  show_password: '비밀번호 보이기',
  begin: '시작하기',
  no_token: '설정 링크가 완전하지 않습니다. 서비스를 시작할 때 출력된 링크를 그대로 열어 주세요.',
} as const;
