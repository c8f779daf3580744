from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mail", "0001_tables")]

    operations = [
        migrations.AlterField(
            "mailbox",
            "purpose",
            models.CharField(
                choices=[
                    ("orders", "Orders"),
                    ("letter", "Message"),
                    ("desk", "Desk"),
                    ("join", "Invitation"),
                    ("return", "Bounce"),
                    ("office", "Office"),
                ],
                max_length=8,
            ),
        )
    ]
