import type { Language } from '@ai-studio/contract/console/session.ts';
import type { Mail } from '../../ports/mailer.ts';
import { invitationDays } from '../links/one-time-links.ts';

interface InvitationMail {
  readonly to: string;
  /** Of the person invited. */
  readonly name: string;
  readonly invitedBy: string;
  readonly tenant: string;
  readonly url: string;
}

/** Text on one line: names come from people, and a line of theirs must not look like one of ours. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

const words: Readonly<Record<Language, (mail: InvitationMail) => Omit<Mail, 'to'>>> = {
  ko: ({ name, invitedBy, tenant, url }) => ({
    subject: `${tenant}: AI Studio 초대`,
    text: [
      `${name} 님, 안녕하세요.`,
      '',
      `${invitedBy} 님이 ${tenant}의 AI Studio에 초대했습니다. 아래 주소에서 비밀번호를 정하고 시작하세요.`,
      '',
      url,
      '',
      `이 주소는 ${invitationDays}일 동안 한 번만 쓸 수 있습니다. 예상하지 못한 초대라면 이 메일을 무시하세요.`,
    ].join('\n'),
  }),
  en: ({ name, invitedBy, tenant, url }) => ({
    subject: `${tenant}: your invitation to AI Studio`,
    text: [
      `Hello ${name},`,
      '',
      `${invitedBy} invites you to the AI Studio of ${tenant}. Choose a password at this address and begin:`,
      '',
      url,
      '',
      `The address works once, within ${invitationDays} days. If you expect no invitation, ignore this message.`,
    ].join('\n'),
  }),
};

/** The message that brings somebody their invitation, in the language of who invites. */
export function invitationMail(language: Language, given: InvitationMail): Mail {
  const { to, url } = given;
  const [name, invitedBy, tenant] = [given.name, given.invitedBy, given.tenant].map(plain) as [string, string, string];
  return { to, ...words[language]({ to, name, invitedBy, tenant, url }) };
}
