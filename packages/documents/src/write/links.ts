/** Addresses that a written document may lead to; scripts, files of a machine and places within the text are none. */
export const isWritableLink = (link: string): boolean => /^(?:https?|ftp|mailto|tel):[^\s]/i.test(link);
