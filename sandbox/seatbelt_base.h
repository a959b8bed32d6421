/* SPDX-License-Identifier: MIT */
/* seatbelt_base: what every profile begins with, and parts that depend on nothing but a switch. */
#ifndef ASSENT_SANDBOX_SEATBELT_BASE_H
#define ASSENT_SANDBOX_SEATBELT_BASE_H

extern const char SEATBELT_BASE[];
/* Restricted reads: what programs need to start. */
extern const char SEATBELT_PLATFORM[];
extern const char SEATBELT_NETWORK[];
/* Where everybody's temporary files are; NULL-terminated. */
extern const char *const SEATBELT_TEMPORARY[];

#endif
