import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { findOwnOrigin } from "../../http/origin.ts";
import type { Text } from "../../../shared/language.ts";
import type { Site } from "./document.tsx";

declare module "fastify" {
  interface FastifyRequest {
    readonly site: Site;
  }
}

const DESCRIPTION: Text = {
  fr: "shipscore consulte vos pages comme le ferait un visiteur et leur donne un score de 0 à 100, expliqué point par point.",
  en: "shipscore requests your pages as a visitor would and gives them a score from 0 to 100, explained point by point.",
};

export function siteOf(config: Config, host: string | undefined): Site {
  return { origin: findOwnOrigin(host, config) };
}

/** For cached pages: the public URL, if the server has one. */
export const publicSiteOf = (config: Config): Site => siteOf(config, undefined);

export function decorateSite(door: FastifyInstance, config: Config): void {
  door.decorateRequest("site", {
    getter(this: FastifyRequest) {
      return siteOf(config, this.headers.host);
    },
  });
}

export const previewOf = ({ site }: FastifyRequest) => ({ description: DESCRIPTION, site });
