/** What files are called whose content is read; the content decides, not the name. */
export const ACCEPTED =
  '.pdf,.hwp,.hwpx,.docx,.xlsx,.pptx,.doc,.xls,.ppt,.odt,.ods,.odp,.epub,.eml,.msg,.mbox,.mht,.mhtml,.rtf,.html,.htm,.md,.markdown,.csv,.tsv,.txt,.png,.jpg,.jpeg,.tif,.tiff,.bmp,.gif,.webp';
